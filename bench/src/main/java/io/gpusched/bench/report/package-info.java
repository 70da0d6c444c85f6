/// What was measured, on what, and how it is written down.
///
/// Read [io.gpusched.bench.report.Results] first: the JSON file is the record, the Markdown page is
/// made from it, and a run of one bench leaves the others' results as they were.
@NullMarked
package io.gpusched.bench.report;

import org.jspecify.annotations.NullMarked;
