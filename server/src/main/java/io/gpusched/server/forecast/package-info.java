/// When waiting jobs will start, worked out beside everything else: a copy of the ledger is run
/// ahead on a thread of its own, every now and then, and what it found is published.
@NullMarked
package io.gpusched.server.forecast;

import org.jspecify.annotations.NullMarked;
