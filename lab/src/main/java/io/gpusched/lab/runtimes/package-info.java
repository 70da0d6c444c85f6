/// Measures how well run times are predicted on a recorded trace, against two simple rules. Each
/// job is predicted from jobs that came before it. Read
/// [io.gpusched.lab.runtimes.PredictionContest] first.
@NullMarked
package io.gpusched.lab.runtimes;

import org.jspecify.annotations.NullMarked;
