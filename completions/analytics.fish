# fish completion for analytics
set -l nouns sites links goals imports export stats send replay health config help
complete -c analytics -n "not __fish_seen_subcommand_from $nouns" -f -a "$nouns"
complete -c analytics -n "__fish_seen_subcommand_from sites; and not __fish_seen_subcommand_from create list get update delete drops exclude" -f -a "create list get update delete drops exclude"
complete -c analytics -n "__fish_seen_subcommand_from exclude; and not __fish_seen_subcommand_from add remove" -f -a "add list remove"
complete -c analytics -n "__fish_seen_subcommand_from links goals; and not __fish_seen_subcommand_from ensure list delete" -f -a "ensure list delete"
complete -c analytics -n "__fish_seen_subcommand_from imports; and not __fish_seen_subcommand_from list undo" -f -a "list undo"
complete -c analytics -n "__fish_seen_subcommand_from export; and not __fish_seen_subcommand_from events" -f -a events
complete -c analytics -n "__fish_seen_subcommand_from replay; and not __fish_seen_subcommand_from check" -a check
complete -c analytics -n "__fish_seen_subcommand_from config" -f -a show
complete -c analytics -n "__fish_seen_subcommand_from help" -f -a "environment exit-codes formats config"
# options with a value, then those without; a check compares the names with the program's
complete -c analytics -l address -x  # --address
complete -c analytics -l api-key-file -r  # --api-key-file
complete -c analytics -l base -x  # --base
complete -c analytics -l batch -x  # --batch
complete -c analytics -l cacert -r  # --cacert
complete -c analytics -l concurrency -x  # --concurrency
complete -c analytics -l config -r  # --config
complete -c analytics -l confirm -x  # --confirm
complete -c analytics -l connect-timeout -x  # --connect-timeout
complete -c analytics -l days -x  # --days
complete -c analytics -l domain -x  # --domain
complete -c analytics -l event -x  # --event
complete -c analytics -l exclude -x  # --exclude
complete -c analytics -l format -x -a "auto ndjson json csv combined combined-vhost common caddy w3c alb s3 haproxy envoy"  # --format
complete -c analytics -l import-id -x  # --import-id
complete -c analytics -l include -x  # --include
complete -c analytics -l ip -x  # --ip
complete -c analytics -l max-errors -x  # --max-errors
complete -c analytics -l name -x  # --name
complete -c analytics -l only-hostname -x  # --only-hostname
complete -c analytics -l output -x -a "text json csv ndjson"  # --output
complete -c analytics -l page -x  # --page
complete -c analytics -l period -x -a "day 7d 30d month 6mo 12mo custom"  # --period
complete -c analytics -l by -x -a "page entry_page exit_page hostname source channel referrer utm_source utm_medium utm_campaign utm_content utm_term country region city device browser browser_version os os_version name goal hour day month"  # --by
complete -c analytics -l date -x  # --date
complete -c analytics -l filter -x  # --filter
complete -c analytics -l limit -x  # --limit
complete -c analytics -l metrics -x  # --metrics
complete -c analytics -l profile -x  # --profile
complete -c analytics -l progress -x -a "auto bar plain json none"  # --progress
complete -c analytics -l prop -x  # --prop
complete -c analytics -l rate -x  # --rate
complete -c analytics -l referrer -x  # --referrer
complete -c analytics -l rejects -r  # --rejects
complete -c analytics -l retries -x  # --retries
complete -c analytics -l server -x  # --server
complete -c analytics -l site -x  # --site
complete -c analytics -l site-override -x  # --site-override
complete -c analytics -l time -x  # --time
complete -c analytics -l timeout -x  # --timeout
complete -c analytics -l timezone -x  # --timezone
complete -c analytics -l url -x  # --url
complete -c analytics -l user-agent -x  # --user-agent
complete -c analytics -l allow-http  # --allow-http
complete -c analytics -l debug-http  # --debug-http
complete -c analytics -l dry-run  # --dry-run
complete -c analytics -l explain  # --explain
complete -c analytics -l help  # --help
complete -c analytics -l if-exists  # --if-exists
complete -c analytics -l if-not-exists  # --if-not-exists
complete -c analytics -l insecure  # --insecure
complete -c analytics -l json  # --json
complete -c analytics -l downloads  # --downloads
complete -c analytics -l keep-bots  # --keep-bots
complete -c analytics -l no-color  # --no-color
complete -c analytics -l no-input  # --no-input
complete -c analytics -l quiet  # --quiet
complete -c analytics -l verbose  # --verbose
complete -c analytics -l version  # --version
complete -c analytics -l accept-duplicates  # --accept-duplicates
complete -c analytics -l checkpoint -r  # --checkpoint
complete -c analytics -l dedupe -x  # --dedupe
complete -c analytics -l follow  # --follow
complete -c analytics -l from -x  # --from
complete -c analytics -l from-rejects -r  # --from-rejects
complete -c analytics -l map -x  # --map
complete -c analytics -l max-gap -x  # --max-gap
complete -c analytics -l restart  # --restart
complete -c analytics -l source -x  # --source
complete -c analytics -l speed -x  # --speed
complete -c analytics -l to -x  # --to
