@NullMarked
package io.gpusched.core.outlook;

import org.jspecify.annotations.NullMarked;
