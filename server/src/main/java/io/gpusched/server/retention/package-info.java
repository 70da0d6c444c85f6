/// Deletes what is older than the operator wants to keep, after writing it to the archive. Read
/// [io.gpusched.server.retention.Retention] first. Nothing here decides about jobs that have not
/// ended.
@NullMarked
package io.gpusched.server.retention;

import org.jspecify.annotations.NullMarked;
