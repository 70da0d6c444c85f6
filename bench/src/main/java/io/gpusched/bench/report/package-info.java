/// The results of benchmarks, the machine, and the files that keep them.
///
/// Read [io.gpusched.bench.report.Results] first: the JSON file is the record, the Markdown page is
/// made from it, and a run of one bench leaves the others' results as they were.
@NullMarked
package io.gpusched.bench.report;

import org.jspecify.annotations.NullMarked;
