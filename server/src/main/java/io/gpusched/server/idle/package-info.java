/// GPUs that are held and not used: readings come in several times a minute, turns from busy to
/// idle and back go on to the cell, and people can see who wastes what.
@NullMarked
package io.gpusched.server.idle;

import org.jspecify.annotations.NullMarked;
