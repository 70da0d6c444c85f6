/// Tests of the ledger.
@NullMarked
package io.gpusched.core.state;

import org.jspecify.annotations.NullMarked;
