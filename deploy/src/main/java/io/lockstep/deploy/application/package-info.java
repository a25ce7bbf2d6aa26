/**
 * Which applications a process knows: those of the product, and those of jars that the operator
 * names. Knows the application model; {@code config} reads the applications' sections with it.
 */
@NullMarked
package io.lockstep.deploy.application;

import org.jspecify.annotations.NullMarked;
