/// Settings: one YAML file, environment variables and flags become one tree of records.
///
/// Read [io.gpusched.server.config.Config] first. Each section keeps its keys beside its record, so
/// that a setting's name, default, unit and sentence are one line of one file. Nothing here opens a
/// port or a database.
///
///     --http-port > GPU_SCHEDULER_API_HTTP_PORT > SCHEDULER_PORT > api.http_port > 8080
@NullMarked
package io.gpusched.server.config;

import org.jspecify.annotations.NullMarked;
