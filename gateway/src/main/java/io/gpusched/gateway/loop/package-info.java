/// The thread that passes bytes between clients and replicas.
///
/// One thread owns every socket, pool, replica and counter of the gateway, so none of them needs a
/// lock. Nothing that blocks may run on it: the scheduler, probes and scrapes have threads of their
/// own and hand their results over with [io.gpusched.gateway.loop.EventLoop#post].
@NullMarked
package io.gpusched.gateway.loop;

import org.jspecify.annotations.NullMarked;
