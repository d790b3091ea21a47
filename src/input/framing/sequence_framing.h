/* sequence_framing.h -- framing of the records of FASTA and FASTQ */

#ifndef GPUHIST_SEQUENCE_FRAMING_H
#define GPUHIST_SEQUENCE_FRAMING_H

#include "input/framing/framing.h"

/* Returns their framing.  The last record of an input needs no end. */
struct framing sequence_framing_make(void);

#endif
