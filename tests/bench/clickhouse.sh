# shellcheck shell=bash disable=SC2154,SC2034  # variables are shared with the sourcing scripts
# Sourced by scripts in this folder that need a ClickHouse server. Starts one below $work, as
# $server, on the first of these ports that is free, as $port. It also uses the next port.
launch_clickhouse() {
  clickhouse-server --config-file="$work/config.xml" >"$work/ch.out" 2>&1 &
  server=$!
}
start_clickhouse() { # ports
  for port in "$@"; do
    cat >"$work/config.xml" <<XML
<yandex><logger><level>warning</level><log>$work/ch.log</log><errorlog>$work/ch.err</errorlog></logger>
<http_port>$port</http_port><tcp_port>$((port + 1))</tcp_port><listen_host>127.0.0.1</listen_host>
<path>$work/ch/</path><tmp_path>$work/ch/tmp/</tmp_path><users_config>$work/users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>67108864</mark_cache_size></yandex>
XML
    echo "<yandex><profiles><default/></profiles><users><default><password></password><networks><ip>127.0.0.1</ip>
</networks><profile>default</profile><quota>default</quota></default></users><quotas><default/></quotas></yandex>" \
      >"$work/users.xml"
    launch_clickhouse
    until curl -sf "http://127.0.0.1:$port/?query=SELECT+1" >/dev/null || ! kill -0 $server 2>/dev/null; do sleep 0.1; done
    kill -0 $server 2>/dev/null && break
  done
}
