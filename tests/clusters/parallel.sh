# SPDX-License-Identifier: MIT
# parallel.sh -- GNU parallel and two hosts, which are this one: sshd on two
# addresses of the loopback
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# Debian: parallel, openssh-server.  Another program has the same name.
PATH=$PATH:/usr/sbin:/sbin
parallel --version 2>&1 | grep -q '^GNU parallel' || skip_all 'no GNU parallel'
# sshd begins itself again, by its path.
sshd=$(command -v sshd) || skip_all 'no sshd'
command -v ssh >path || skip_all 'no ssh'

# shellcheck source=tests/clusters/recipes.sh
. "$srcdir/tests/clusters/recipes.sh"

stop_hosts()
{
    for pid_file in "$tap_dir"/host?.pid; do
        [ ! -s "$pid_file" ] || kill "$(cat "$pid_file")" 2>/dev/null
    done
    [ -z "${made_directory-}" ] || rmdir /run/sshd
}
trap 'stop_hosts; cd /; rm -rf "$tap_dir"' EXIT

# sshd wants it, and Debian's service makes it.
made_directory=
if [ "$(id -u)" -eq 0 ] && mkdir /run/sshd 2>/dev/null; then
    made_directory=yes
fi

ssh-keygen -q -t ed25519 -N '' -f key && ssh-keygen -q -t ed25519 -N '' -f host_key
# start_host N PORT: begin host N; or fail.
start_host()
{
    cat >"host$1.conf" <<END
Port $2
ListenAddress 127.0.0.$1
HostKey $tap_dir/host_key
AuthorizedKeysFile $tap_dir/key.pub
PidFile $tap_dir/host$1.pid
StrictModes no
UsePAM no
MaxStartups 100
SetEnv PATH=$PATH HOST=$1 TAP_DIR=$tap_dir
END
    "$sshd" -f "host$1.conf" -E "host$1.log" && within 5 test -s "host$1.pid"
}
# The port may be taken.
port=$((20000 + $$ % 20000))
if ! start_host 1 $port || ! start_host 2 $port; then
    skip_all "sshd does not start: $(cat host?.log | head -n 1)"
fi
cat >ssh.conf <<END
Host host1
    HostName 127.0.0.1
Host host2
    HostName 127.0.0.2
Host *
    Port $port
    IdentityFile $tap_dir/key
    IdentitiesOnly yes
    StrictHostKeyChecking no
    UserKnownHostsFile $tap_dir/known_hosts
    LogLevel ERROR
END
export PARALLEL_SSH="ssh -F $tap_dir/ssh.conf" PARALLEL_HOME="$tap_dir/parallel"
mkdir parallel
: >parallel/will-cite
$PARALLEL_SSH host2 true 2>err ||
    skip_all "no login at 127.0.0.2: $(head -n 1 err)"

recipe parallel.sh
recipe hosts.sh

# ---- a shared file system ----

# One task is killed, and one takes its host along: the server, and the
# connection of the task.
faulty 3 'kill -s KILL $$'
# shellcheck disable=SC2016 # for another shell
faulty 5 'kill "$(cat "$TAP_DIR/host$HOST.pid")" && : >"$TAP_DIR/gone.$HOST"
    kill -s KILL $(ps -o ppid= -p $PPID) $PPID $$'
timeout 60 sh ./parallel.sh >out 2>err
is "$?" 0 'a task and a host die' || sed 's/^/# /' err
died 3 5 && ls gone.? >out
ok $? '... they did'
same wanted total.tsv '... what is merged is one run'

# A task that dies each time.
rm -f ./*.state total.tsv faults/5
# shellcheck disable=SC2016 # for another shell
faulty 3 'rmdir "$TAP_DIR/began/3"; kill -s KILL $$'
fails parallel.sh && [ ! -e total.tsv ]
ok $? 'a task that cannot be done is a failure'
says 1 'shard 3 of 8 is missing, of the run of ./4.state (--incomplete accepts that)' \
    '... and is missing in the sum' gpuhist --merge ./*.state

# ---- a log on each host ----

rm faults/*
for gone in gone.?; do
    start_host "${gone#gone.}" "$port"
done
sed "s|/var/log/access.log|'$tap_dir/\$HOST.log'|" hosts.sh >here.sh
cp logs/1.log 1.log
cp logs/2.log 2.log
gpuhist --words 1.log 2.log >wanted
timeout 60 sh ./here.sh >out 2>err
same wanted words.tsv 'the logs of two hosts' || sed 's/^/# /' err
rm words.tsv
cp 1.log 2.log
fails here.sh && grep -q 'has the bytes of' err && [ ! -e words.tsv ]
ok $? '... the same log twice is refused'

done_testing
