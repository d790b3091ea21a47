/* SPDX-License-Identifier: MIT */
/* help_topics.c -- the topics of --help=TOPIC */

#include "cli/help_topics.h"

const struct help_topic help_topics[] = {
    {.name = "text",
     .page = "gpuhist-text(1)",
     .title = "Text: lines, words and fields",
     .examples =
         "  gpuhist -l --top=10 emails.txt\n"
         "  gpuhist --csv -f city sales.csv\n"
         "  gpuhist -d';' -g1 -f2 --columns=count,mean stations.txt\n"
         "  gpuhist --jsonl -f user.id --where='level=error' events.jsonl\n",
     .options =
         "lines words delimiter tsv csv whitespace jsonl logfmt regex "
         "matches fields group-by where joint weights counts header-in "
         "zero-terminated comment first ignore-case prefix dtype invalid "
         "profile columns top min-count max-count"},
    {.name = "logs",
     .page = "gpuhist-text(1)",
     .title = "Logs",
     .examples =
         "  gpuhist --clf -f status access.log\n"
         "  gpuhist --clf -f path --where='status>=500' --top=10 access.log\n"
         "  gpuhist --clf -g path -f +1 --columns=count,p50,p99 access.log\n"
         "  gpuhist --log-format=syslog -g hour,program journal.log\n",
     .options =
         "clf log-format jsonl logfmt regex matches invalid fields group-by "
         "where weights columns top top-each percent pivot every state merge"},
    {.name = "bins",
     .page = "gpuhist-bins(1)",
     .title = "Numbers, pixels and bins",
     .examples = "  gpuhist --dtype=f4 -b20 --range=-3,3 energy.f4\n"
                 "  gpuhist --csv -f price -b20 --plot=only sales.csv\n"
                 "  gpuhist --npy -b auto energy.npy\n",
     .options = "dtype record endian npy safetensors array image bins range "
                "bin-width edges log subdiv scale shift "
                "mask mod closed numpy flow density cumulative percent plot "
                "plot-scale svg"},
    {.name = "figures",
     .page = "gpuhist-figures(1)",
     .title = "Figures: means, percentiles and others",
     .examples = "  gpuhist --csv -g city -f price "
                 "--columns=count,mean,median,p99 sales.csv\n"
                 "  gpuhist --csv -g city "
                 "--columns=count,price:mean,quantity:sum sales.csv\n"
                 "  gpuhist --csv --profile --format=table sales.csv\n"
                 "  gpuhist --dtype=f4 "
                 "--columns=count,nan,min,max,mean,sd energy.f4\n",
     .options =
         "columns group-by fields weights profile stats percentiles sort "
         "round thousands dtype record npy safetensors array"},
    {.name = "seq",
     .page = "gpuhist-seq(1)",
     .title = "Sequences of FASTA and FASTQ",
     .examples =
         "  gpuhist --seq --percent genome.fa\n"
         "  gpuhist --seq -g position -f quality --columns=mean reads.fq\n"
         "  gpuhist --kmers=21 --canonical --spectrum reads.fq.gz\n"
         "  gpuhist --seq --format=fqchk reads.fq\n"
         "  gpuhist --seq --format=seqkit --per-file --total *.fq.gz\n",
     .options = "seq kmers canonical spectrum full phred min-quality keep-case "
                "low-quality as-aligned all-alignments first reads sample seed "
                "fields group-by joint where top format"},
    {.name = "sequences"},
    {.name = "archives",
     .page = "gpuhist-archives(1)",
     .title = "Archives, and many files",
     .examples = "  gpuhist --clf -f status archive/*.gz\n"
                 "  gpuhist --members -l --top=20 logs.tar.gz\n"
                 "  find archive -name '*.gz' -print0 | gpuhist -l "
                 "--files0-from=- --top=100\n",
     .options = "decompress members files0-from per-file total "
                "skip-bytes read-bytes first partial shard memory-limit"},
    {.name = "output",
     .page = "gpuhist-output(1)",
     .title = "Output",
     .examples =
         "  gpuhist --csv -f city --format=csv --header-out sales.csv\n"
         "  gpuhist --csv -g city,product --pivot --format=md sales.csv\n"
         "  gpuhist --clf -f status --format=prom "
         "--metric=requests_total access.log\n",
     .options =
         "output format header-out rename nonzero full top top-each "
         "min-count max-count no-other sort columns pivot profile spectrum "
         "labels cumulative density percent thousands round metric metric-type "
         "per-file total plot plot-scale svg lut equalize progress quiet "
         "interrupted"},
    {.name = "format"},
    {.name = "gpu",
     .page = "gpuhist-gpu(1)",
     .title = "GPUs, threads and memory",
     .examples = "  gpuhist --list-devices\n"
                 "  gpuhist --device=auto --explain bin/firmware.bin\n",
     .options = "device tune list-devices list-strategies threads memory-limit "
                "explain verbose"},
    {.name = "state",
     .page = "gpuhist-state(5)",
     .title = "States: many days, many machines",
     .examples =
         "  gpuhist --clf -f status --state=day1 archive/access.log.2.gz\n"
         "  gpuhist --clf -f status --state=day2 archive/access.log.1.gz\n"
         "  gpuhist --merge day1 day2\n"
         "  gpuhist -l --shard=1/8 --format=state -o 1.state nodes/*.log\n",
     .options =
         "state merge shard duplicates incomplete every reset interrupted "
         "format per-file"},
    {.name = "states"},
};

const char *
help_topic_name(size_t i, const char **remark)
{
    (void)remark;
    return i < sizeof help_topics / sizeof *help_topics ? help_topics[i].name
                                                        : NULL;
}
