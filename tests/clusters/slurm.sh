# SPDX-License-Identifier: MIT
# slurm.sh -- an array of Slurm jobs, with a controller and two nodes on this
# machine
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# Debian: slurm-wlm, munge.
PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd sbatch; do
    command -v $program >path || skip_all "no $program"
done
host=$(hostname)
getent hosts "$host" >out || skip_all "no address of this host, $host"

# shellcheck source=tests/clusters/recipes.sh
. "$srcdir/tests/clusters/recipes.sh"

stop_slurm()
{
    if [ -s controller.pid ]; then
        timeout 5 squeue -h -r -o %A | xargs -r timeout 5 scancel --quiet
        within 5 is_done
    fi
    for pid_file in "$tap_dir"/*.pid; do
        [ ! -s "$pid_file" ] || kill "$(cat "$pid_file")" 2>/dev/null
    done
    # They write files until they have ended.
    for pid_file in "$tap_dir"/*.pid; do
        [ ! -s "$pid_file" ] || within 3 has_ended "$(cat "$pid_file")"
    done
}
is_done()
{
    [ -z "$(timeout 5 squeue -h)" ]
}
# has_ended PID: it may be left as a zombie by what should wait for it.
has_ended()
{
    case $(ps -o stat= -p "$1") in
        '' | Z*) ;;
        *) return 1 ;;
    esac
}
trap 'stop_slurm; cd /; rm -rf "$tap_dir"' EXIT

# Messages are signed with a key that all hosts of a cluster have.
head -c 1024 /dev/urandom >munge.key
chmod 400 munge.key
# It wants nobody else to be able to write where its socket is.
chmod 755 .
munged --key-file="$tap_dir/munge.key" --socket="$tap_dir/munge.socket" \
    --pid-file="$tap_dir/munge.pid" --log-file="$tap_dir/munge.log" \
    --seed-file="$tap_dir/munge.seed" 2>err ||
    skip_all "munged does not start: $(tail -n 1 err)"
port=$((20000 + $$ % 20000))
SLURM_CONF=$tap_dir/slurm.conf
export SLURM_CONF
# A job does not depend on cgroups here, but slurmd looks for them.
printf 'CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n' >cgroup.conf
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$tap_dir/munge.socket
CredType=cred/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation=$tap_dir/controller
SlurmdSpoolDir=$tap_dir/spool.%n
SlurmctldPidFile=$tap_dir/controller.pid
SlurmdPidFile=$tap_dir/%n.pid
SlurmctldLogFile=$tap_dir/controller.log
SlurmdLogFile=$tap_dir/%n.log
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
NodeName=n1,n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)),$((port + 2)) CPUs=2
PartitionName=p Nodes=ALL Default=YES State=UP OverSubscribe=FORCE:4
END
mkdir controller
if ! slurmctld 2>err || ! slurmd -N n1 2>err || ! slurmd -N n2 2>err; then
    skip_all "Slurm does not start: $(tail -n 1 err)"
fi
are_idle()
{
    [ "$(timeout 5 sinfo -h -N -o %t)" = "$(printf 'idle\nidle')" ]
}
within 15 are_idle ||
    skip_all "Slurm has no nodes: $(tail -n 1 controller.log n1.log)"

recipe count.sbatch
recipe submit.sh

# One task hangs before it counts, and one when its state is complete.
# shellcheck disable=SC2016 # for another shell
faulty 3 'echo $$ >"$SLURM_SUBMIT_DIR/pid.3"; exec sleep 300'
cat >late <<END
'$GPUHIST' "\$@"
echo \$\$ >"\$SLURM_SUBMIT_DIR/pid.5"
echo "\$SLURMD_NODENAME" >"\$SLURM_SUBMIT_DIR/node.5"
exec sleep 300
END
faulty 5 "$(cat late)"
timeout 120 sh ./submit.sh >out 2>err &
submitted=$!
count_states()
{
    [ -s pid.3 ] && [ -s node.5 ] &&
        [ "$(find . -name '[1-8].state' | wc -l)" -eq 7 ]
}
within 20 count_states
ok $? 'all tasks but one are done' || cat out err controller.log | tail | sed 's/^/# /'
says 1 'shard 3 of 8 is missing, of the run of 4.state (--incomplete accepts that)' \
    'what a task has not done is missing' gpuhist --merge [1-8].state

# What a user or a node that is rebooted does.
id=$(squeue -h -r -t RUNNING -o %F | head -n 1)
scontrol requeue "${id}_3" && within 10 has_ended "$(cat pid.3)"
ok $? 'a task is queued again'
# kill_step PID: a process and those above it, slurmstepd first, which would
# tell the controller that the task has failed.
kill_step()
{
    step_pids=$1
    step_pid=$1
    while [ "$(ps -o comm= -p "$step_pid")" != slurmstepd ]; do
        step_pid=$(ps -o ppid= -p "$step_pid" | tr -d ' ')
        [ "${step_pid:-1}" -gt 1 ] || return
        step_pids="$step_pid $step_pids"
    done
    # shellcheck disable=SC2086 # one word for each process
    kill -s KILL $step_pids
}
# All processes of a node are gone, and the controller finds out.
node=$(cat node.5)
kill -s KILL "$(cat "$node.pid")"
kill_step "$(cat pid.5)"
rm "$node.pid"
scontrol update NodeName="$node" State=DOWN Reason=dead
ok $? 'a node dies'
# Slurm would wait for two minutes, from when it has found out what ended.  A
# node refuses a task that starts in the second in which it was ended there.
restart()
{
    squeue -h -r -j "$id" -t PENDING -o '%K %r' | while read -r task reason; do
        [ "$reason" != BeginTime ] || [ -e "restarted.$task" ] || {
            scontrol update JobId="${id}_$task" StartTime=now+2seconds &&
                : >"restarted.$task"
        }
    done
    has_ended $submitted
}
# "sbatch --wait" asks more and more rarely, at last twice a minute.
within 100 restart
wait $submitted
is "$?" 0 'the merge waits for both'
died 3 5 && [ -s 3.state ]
ok $? '... which were done again'
same wanted total.tsv '... and makes what one run prints' || {
    tail -n 9 controller.log
    cat slurm-*.out err
} | sed 's/^/# /'

done_testing
