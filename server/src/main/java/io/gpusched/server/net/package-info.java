/// What all listening ports share: how many connections each may hold.
///
/// Read [io.gpusched.server.net.ConnectionBudget] first. Nothing here knows a protocol.
@NullMarked
package io.gpusched.server.net;

import org.jspecify.annotations.NullMarked;
