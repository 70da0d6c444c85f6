/// Keeps the house tidy: the formatter behind `bin/format`, and tests that hold all rooms to the
/// rules of `docs/style.md` by reading their sources.
///
/// Start with `TidyTest`. Nothing here may depend on another room, so that a room that does not
/// compile can still be told what is untidy about it.
@NullMarked
package io.gpusched.conventions;

import org.jspecify.annotations.NullMarked;
