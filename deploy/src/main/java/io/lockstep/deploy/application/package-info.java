/**
 * Which applications a process knows. Knows the application model; {@code config} reads the
 * applications' sections with it.
 */
@NullMarked
package io.lockstep.deploy.application;

import org.jspecify.annotations.NullMarked;
