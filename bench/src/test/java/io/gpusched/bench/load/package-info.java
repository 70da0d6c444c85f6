/// Tests of the load driver, against a stand-in server.
@NullMarked
package io.gpusched.bench.load;

import org.jspecify.annotations.NullMarked;
