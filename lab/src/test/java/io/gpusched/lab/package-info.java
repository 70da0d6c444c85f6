/// Tests of the lab's commands, run like a person would.
@NullMarked
package io.gpusched.lab;

import org.jspecify.annotations.NullMarked;
