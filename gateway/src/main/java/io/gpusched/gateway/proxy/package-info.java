/// The way of a request: from the socket of a client to the socket of a replica and back.
///
/// Read [io.gpusched.gateway.proxy.Frontend], which decides whether and where a request may go, and
/// [io.gpusched.gateway.proxy.Dispatcher], which finds a replica for it, holds it, or tries again.
/// Everything here runs on the thread of the loop and must not block.
@NullMarked
package io.gpusched.gateway.proxy;

import org.jspecify.annotations.NullMarked;
