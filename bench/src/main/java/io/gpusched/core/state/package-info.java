/// Access to the ledger's package for benchmarks only: the queue of waiting jobs is not public, and
/// measuring it is no reason to make it public.
@NullMarked
package io.gpusched.core.state;

import org.jspecify.annotations.NullMarked;
