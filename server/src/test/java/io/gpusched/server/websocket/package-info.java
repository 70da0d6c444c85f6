/// Tests of the WebSocket protocol.
@NullMarked
package io.gpusched.server.websocket;

import org.jspecify.annotations.NullMarked;
