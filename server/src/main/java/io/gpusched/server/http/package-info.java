/// The REST interface.
///
/// Read [io.gpusched.server.http.Routes] first: it lists every route.
/// [io.gpusched.server.http.RequestHandler] lets requests in and answers them; each resource is a
/// small class beside it. Nothing here decides anything or changes state: it asks the cell and
/// reads what the follower published.
///
///     POST /api/v1/jobs ─▶ Door ─▶ Submission ─▶ Desk ─▶ (durable) ─▶ 201 {"job_id":"job-17",…}
@NullMarked
package io.gpusched.server.http;

import org.jspecify.annotations.NullMarked;
