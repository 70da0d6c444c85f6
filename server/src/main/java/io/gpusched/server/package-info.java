/// The scheduler process: reads its configuration, starts the parts of a server, and stops them.
///
/// Read [io.gpusched.server.Server] first: it lists the parts and the order in which they are made.
/// Nothing here decides what runs where.
@NullMarked
package io.gpusched.server;

import org.jspecify.annotations.NullMarked;
