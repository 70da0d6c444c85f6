/// Where `what-if` and `export` find journals.
///
/// Read [io.gpusched.lab.whatif.Journals] first: a folder of a scheduler or an exported file, read
/// alike. What is asked about them is answered in `sim`.
///
///     data/ or day.jsonl.gz ──▶ History ──▶ what would have been
@NullMarked
package io.gpusched.lab.whatif;

import org.jspecify.annotations.NullMarked;
