/** Answers of the admin HTTP and what a query may say. Imports no other room of the admin HTTP. */
@NullMarked
package io.lockstep.deploy.admin.answer;

import org.jspecify.annotations.NullMarked;
