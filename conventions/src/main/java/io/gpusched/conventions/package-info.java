/// The formatter behind `bin/format`, and tests that check the sources of all modules against the
/// project conventions (`docs/style.md`).
///
/// Read `TidyTest` first. Nothing here may depend on another module, so that these tests also run
/// on a module that does not compile.
@NullMarked
package io.gpusched.conventions;

import org.jspecify.annotations.NullMarked;
