/// The REST API.
///
/// Read [io.gpusched.server.http.JobRoutes] first: each `…Routes` class lists the routes of one
/// subject and makes their handlers. [io.gpusched.server.http.RequestHandler] checks every request
/// and writes the response. Nothing here decides what runs where or changes state: handlers send
/// commands to the cell and read the views that the follower published.
///
///     POST /api/v1/jobs ─▶ RequestHandler ─▶ SubmissionHandler ─▶ JobIntake
///         ─▶ the cell ─▶ (durable) ─▶ 201 {"job_id":"job-17",…}
@NullMarked
package io.gpusched.server.http;

import org.jspecify.annotations.NullMarked;
