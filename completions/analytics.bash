# bash completion for analytics and analyticsd
_analytics() {
  local line word files="" rest=$COMP_LINE piece words=() i
  # bash cuts words at ':' and '=' too; the program wants whole ones, such as http://host:8000.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    piece=${COMP_WORDS[i]}
    if ((i == 0)) || [[ $rest == [[:space:]]* ]]; then
      words+=("$piece")
    else
      words[-1]+=$piece
    fi
    rest=${rest#"${rest%%[![:space:]]*}"}
    rest=${rest#"$piece"}
  done
  # Of the last word bash replaces only what follows the last of those characters.
  local current=${words[-1]} breaks=${COMP_WORDBREAKS//[^:=@]/} kept=""
  [[ -n $breaks && $current == *["$breaks"]* ]] && kept=${current%"${current##*["$breaks"]}"}
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      files=1
    else
      word=${line%%$'\t'*}
      word=${word#"$kept"}
      # A name from the server may hold what a shell would act on.
      [[ $word == *[!A-Za-z0-9_.,:/=@%+-]* ]] && printf -v word %q "$word"
      COMPREPLY+=("$word")
    fi
  done < <("${words[0]}" __complete words "${words[@]:1}" </dev/null 2>/dev/null)
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "${current#"$kept"}")
  fi
}
complete -F _analytics analytics analyticsd
