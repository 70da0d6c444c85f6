/// A door into the ledger's package, for benchmarks only: the line of waiting jobs is not public,
/// and should not become so for being measured.
@NullMarked
package io.gpusched.core.state;

import org.jspecify.annotations.NullMarked;
