/// Deletes data that is older than the configured age, after writing it to the archive. Read
/// [io.gpusched.server.retention.Retention] first. Nothing here touches jobs that have not ended.
@NullMarked
package io.gpusched.server.retention;

import org.jspecify.annotations.NullMarked;
