/// The scheduler as a process: reads its settings, puts the parts together, and takes them apart
/// again.
///
/// Read [io.gpusched.server.Server] first: it says which part knows which. Nothing here decides
/// anything.
@NullMarked
package io.gpusched.server;

import org.jspecify.annotations.NullMarked;
