/// How well run times are predicted on a recorded trace, job by job and without a look at the
/// future, against two simple rules. Read [io.gpusched.lab.runtimes.Contest] first.
@NullMarked
package io.gpusched.lab.runtimes;

import org.jspecify.annotations.NullMarked;
