# bash completion for analytics
_analytics() {
  local line word files=""
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      files=1
    else
      word=${line%%$'\t'*}
      # A name from the server may hold what a shell would act on.
      [[ $word == *[!A-Za-z0-9_.,:/=@%+-]* ]] && printf -v word %q "$word"
      COMPREPLY+=("$word")
    fi
  done < <("${COMP_WORDS[0]}" __complete words "${COMP_WORDS[@]:1:COMP_CWORD}" </dev/null 2>/dev/null)
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
  fi
}
complete -F _analytics analytics
