# fish completion for analytics and analyticsd
function __analytics_complete
    set -l words (commandline -opc)
    set -l cursor (commandline -ct)
    for line in ($words[1] __complete words $words[2..] "$cursor" </dev/null 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path "$cursor"
        else
            echo $line
        end
    end
end
complete -c analytics -f -a '(__analytics_complete)'
complete -c analyticsd -f -a '(__analytics_complete)'
