# bash completion for analytics
_analytics() {
  local cur=${COMP_WORDS[COMP_CWORD]} flags words
  flags="--allow-http --api-key-file --base --cacert --concurrency --config --confirm --connect-timeout --debug-http --domain --dry-run --event --exclude --explain --format --help --if-exists --if-not-exists --include --insecure --ip --json --keep-bots --max-errors --name --no-color --no-input --output --page --profile --progress --prop --quiet --rate --referrer --rejects --retries --server --site --site-override --time --timeout --timezone --url --user-agent --verbose --version"
  words="sites links goals send replay health config help"
  case "${COMP_WORDS[1]:-}" in
    sites) words="create list get update delete" ;;
    links | goals) words="ensure list delete" ;;
    config) words="show" ;;
    help) words="environment exit-codes formats config" ;;
    send | replay | health) words="" ;;
  esac
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$cur")
  elif [[ ${COMP_WORDS[1]:-} == replay ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  else
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
  fi
}
complete -F _analytics analytics
