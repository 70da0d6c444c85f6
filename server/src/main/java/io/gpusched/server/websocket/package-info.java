/// The WebSocket protocol (RFC 6455) as far as the server needs it: text messages out, small text
/// messages and control frames in, no extensions.
///
/// Read [io.gpusched.server.websocket.FrameReader] first. Nothing here knows a socket or an event.
@NullMarked
package io.gpusched.server.websocket;

import org.jspecify.annotations.NullMarked;
