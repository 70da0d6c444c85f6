/// Opens journals for `what-if` and `export`.
///
/// Read [io.gpusched.lab.whatif.Journals] first: a directory of a scheduler or an exported file,
/// read in the same way. The analysis itself is in `sim`.
///
///     data/ or day.jsonl.gz ──▶ History ──▶ WhatIf
@NullMarked
package io.gpusched.lab.whatif;

import org.jspecify.annotations.NullMarked;
