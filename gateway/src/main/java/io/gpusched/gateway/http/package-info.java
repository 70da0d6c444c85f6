/// HTTP/1.1 on bytes: requests of clients, answers of replicas, and where a body ends.
///
/// Read [io.gpusched.gateway.http.ClientRequestReader] and [io.gpusched.gateway.http.BodyFrame]
/// first. Nothing here opens a socket or knows what a request means.
@NullMarked
package io.gpusched.gateway.http;

import org.jspecify.annotations.NullMarked;
