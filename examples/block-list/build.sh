#!/bin/sh
# Compiles, tests and packs the application into block-list.jar. Needs a JDK 17 or newer, and in
# LOCKSTEP the directory of an unpacked lockstep-VERSION.tar.gz; nothing else, and no network.
set -eu
: "${LOCKSTEP:?set LOCKSTEP to the directory of an unpacked lockstep-VERSION.tar.gz}"
cd "$(dirname "$0")"

rm -rf build
mkdir -p build/classes build/tests
find src/main/java -name '*.java' >build/sources
find src/test/java -name '*.java' >build/test-sources
javac --release 17 -proc:none -cp "$LOCKSTEP/lib/*" -d build/classes @build/sources
cp -R src/main/resources/. build/classes
javac --release 17 -proc:none -cp "build/classes:$LOCKSTEP/lib/*" -d build/tests @build/test-sources
java -ea -cp "build/tests:build/classes:$LOCKSTEP/lib/*" org.example.blocklist.BlockListTest
jar --create --file block-list.jar -C build/classes .
