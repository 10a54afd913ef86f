# fish completion for analytics
complete -c analytics -n __fish_use_subcommand -f -a "sites links goals send replay health config help"
complete -c analytics -n "__fish_seen_subcommand_from sites" -f -a "create list get update delete"
complete -c analytics -n "__fish_seen_subcommand_from links goals" -f -a "ensure list delete"
complete -c analytics -n "__fish_seen_subcommand_from config" -f -a show
complete -c analytics -n "__fish_seen_subcommand_from help" -f -a "environment exit-codes formats config"
complete -c analytics -l allow-http  # --allow-http
complete -c analytics -l api-key-file  # --api-key-file
complete -c analytics -l base  # --base
complete -c analytics -l cacert  # --cacert
complete -c analytics -l concurrency  # --concurrency
complete -c analytics -l config  # --config
complete -c analytics -l confirm  # --confirm
complete -c analytics -l connect-timeout  # --connect-timeout
complete -c analytics -l debug-http  # --debug-http
complete -c analytics -l domain  # --domain
complete -c analytics -l dry-run  # --dry-run
complete -c analytics -l event  # --event
complete -c analytics -l exclude  # --exclude
complete -c analytics -l explain  # --explain
complete -c analytics -l format  # --format
complete -c analytics -l help  # --help
complete -c analytics -l if-exists  # --if-exists
complete -c analytics -l if-not-exists  # --if-not-exists
complete -c analytics -l include  # --include
complete -c analytics -l insecure  # --insecure
complete -c analytics -l ip  # --ip
complete -c analytics -l json  # --json
complete -c analytics -l keep-bots  # --keep-bots
complete -c analytics -l max-errors  # --max-errors
complete -c analytics -l name  # --name
complete -c analytics -l no-color  # --no-color
complete -c analytics -l no-input  # --no-input
complete -c analytics -l output  # --output
complete -c analytics -l page  # --page
complete -c analytics -l profile  # --profile
complete -c analytics -l progress  # --progress
complete -c analytics -l prop  # --prop
complete -c analytics -l quiet  # --quiet
complete -c analytics -l rate  # --rate
complete -c analytics -l referrer  # --referrer
complete -c analytics -l rejects  # --rejects
complete -c analytics -l retries  # --retries
complete -c analytics -l server  # --server
complete -c analytics -l site  # --site
complete -c analytics -l site-override  # --site-override
complete -c analytics -l time  # --time
complete -c analytics -l timeout  # --timeout
complete -c analytics -l timezone  # --timezone
complete -c analytics -l url  # --url
complete -c analytics -l user-agent  # --user-agent
complete -c analytics -l verbose  # --verbose
complete -c analytics -l version  # --version
