/// `bin/lab compare`: many policies, seeds and workloads side by side, with the scheduler that runs
/// in production. Read [io.gpusched.lab.compare.Comparison] first.
///
/// A [io.gpusched.lab.compare.PolicyRun] is one run; its answer is kept in a file of its own, so
/// that a comparison that was stopped goes on where it was. Tables, pictures and the page are made
/// from the answers alone, in the order of the questions, whatever the order in which they came.
///
///     courses x contestants x seeds ──▶ questions ──▶ answers ──▶ CSV, JSON, HTML, PNG
@NullMarked
package io.gpusched.lab.compare;

import org.jspecify.annotations.NullMarked;
