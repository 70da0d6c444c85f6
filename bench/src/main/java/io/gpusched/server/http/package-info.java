/// Access to the package of the REST handlers for benchmarks only: the picture of the fleet is not
/// public, and measuring it is no reason to make it public.
@NullMarked
package io.gpusched.server.http;

import org.jspecify.annotations.NullMarked;
