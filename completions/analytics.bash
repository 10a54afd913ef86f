# bash completion for analytics
_analytics() {
  local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} noun="" verb="" word i
  local valued="--address --api-key-file --base --batch --by --cacert --checkpoint --concurrency --config --confirm --connect-timeout --date --days --dedupe --domain --event --exclude --filter --format --from --from-rejects --import-id --include --ip --limit --map --max-errors --max-gap --metrics --name --only-hostname --output --page --period --profile --progress --prop --rate --referrer --rejects --retries --server --site --site-override --source --speed --time --timeout --timezone --to --url --user-agent"
  local plain="--accept-duplicates --allow-http --debug-http --downloads --dry-run --explain --follow --help --if-exists --if-not-exists --insecure --json --keep-bots --no-color --no-input --quiet --restart --verbose --version"
  case $before in
    --api-key-file | --cacert | --checkpoint | --config | --from-rejects | --rejects)
      mapfile -t COMPREPLY < <(compgen -f -- "$cur")
      return
      ;;
    -o | --output)
      mapfile -t COMPREPLY < <(compgen -W "text json csv ndjson" -- "$cur")
      return
      ;;
    --progress)
      mapfile -t COMPREPLY < <(compgen -W "auto bar plain json none" -- "$cur")
      return
      ;;
    --period)
      mapfile -t COMPREPLY < <(compgen -W "day 7d 30d month 6mo 12mo custom" -- "$cur")
      return
      ;;
    --by)
      mapfile -t COMPREPLY < <(compgen -W "page entry_page exit_page hostname source channel referrer utm_source utm_medium utm_campaign utm_content utm_term country region city device browser browser_version os os_version name goal hour day month" -- "$cur")
      return
      ;;
    --format)
      mapfile -t COMPREPLY < <(compgen -W "auto ndjson json csv combined combined-vhost common caddy w3c alb s3 haproxy envoy" -- "$cur")
      return
      ;;
  esac
  [[ " $valued " == *" $before "* ]] && return # a value that only the user knows
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ " $valued -o " == *" $word "* ]]; then
      ((i++))
    elif [[ $word != -* ]]; then
      if [[ -z $noun ]]; then noun=$word; elif [[ -z $verb ]]; then verb=$word; fi
    fi
  done
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$valued $plain" -- "$cur")
  elif [[ $noun == replay ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    [[ -z $verb && check == "$cur"* ]] && COMPREPLY+=(check)
  elif [[ -z $noun ]]; then
    mapfile -t COMPREPLY < <(compgen -W "sites links goals imports export stats send replay health config help" -- "$cur")
  elif [[ -z $verb ]]; then
    case $noun in
      sites) word="create list get update delete drops exclude" ;;
      links | goals) word="ensure list delete" ;;
      imports) word="list undo" ;;
      export) word="events" ;;
      config) word="show" ;;
      help) word="environment exit-codes formats config" ;;
      *) word="" ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$word" -- "$cur")
  elif [[ $noun == sites && $verb == exclude && $before == exclude ]]; then
    mapfile -t COMPREPLY < <(compgen -W "add list remove" -- "$cur")
  fi
}
complete -F _analytics analytics
