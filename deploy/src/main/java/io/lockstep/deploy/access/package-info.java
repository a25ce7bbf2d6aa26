/**
 * Who sends a request to the admin HTTP, and whether that user's role allows it. Pure; the admin
 * HTTP asks it before it looks at a request. Users are in the store ({@code core.access}).
 */
@NullMarked
package io.lockstep.deploy.access;

import org.jspecify.annotations.NullMarked;
