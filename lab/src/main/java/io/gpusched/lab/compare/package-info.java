/// `bin/lab compare`: runs many policies on many seeds and workloads with the production scheduler.
/// Read [io.gpusched.lab.compare.Comparison] first.
///
/// A [io.gpusched.lab.compare.PolicyRun] is one run; its result is kept in its own file, so that an
/// interrupted comparison resumes. Tables, pictures and the report are made from the results alone,
/// in the order of the runs, not in the order in which the runs finished.
///
///     workloads x policies x seeds ──▶ runs ──▶ results ──▶ CSV, JSON, HTML, PNG
@NullMarked
package io.gpusched.lab.compare;

import org.jspecify.annotations.NullMarked;
