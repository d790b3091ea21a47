/* crew.h -- several threads that share one task */

#ifndef GPUHIST_CREW_H
#define GPUHIST_CREW_H

#define CREW_MAX 64

/* The part of member MEMBER in a task. */
typedef void crew_work(void *task, unsigned int member);

/*
 * Call WORK for each of MEMBERS members, 1 to CREW_MAX, at the same time; this
 * thread is one of them.  Returns when all are done.  This thread also does the
 * work of a member that the system refuses a thread for.
 */
void crew_run(unsigned int members, crew_work *work, void *task);

#endif
