/// A load driver that costs little itself, because it shares the machine with what it measures.
///
/// Read [io.gpusched.bench.load.LoadDriver] first: one thread, many kept-alive connections,
/// requests whose bytes were made beforehand, and no more parsing of answers than needed.
@NullMarked
package io.gpusched.bench.load;

import org.jspecify.annotations.NullMarked;
