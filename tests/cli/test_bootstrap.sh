#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# ./bootstrap with recording stubs in place of every tool that would change or build anything.
# usage: test_bootstrap.sh PROJECT_ROOT
set -u

project=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failures=0

fail() {
	echo "FAILED: $*"
	[ ! -f "$folder/out" ] || sed 's/^/    | /' "$folder/out"
	failures=$((failures + 1))
}

# --- a machine of stubs ---------------------------------------------------------------------------

stub() {
	printf '#!/bin/sh\n%s\n' "$2" >"$folder/bin/$1"
	chmod +x "$folder/bin/$1"
}

# An empty project, and a PATH with nothing but everyday tools and stubs. $1: the user's number.
machine() {
	rm -rf "${folder:?}"/*
	mkdir -p "$folder/bin" "$folder/tree/my tree" "$folder/caller"
	cp "$project/bootstrap" "$folder/tree/my tree/bootstrap"
	: >"$folder/log"
	: >"$folder/packages"
	for tool in sh cat dirname sed tr grep rm env mkdir chmod find xargs sleep; do
		ln -s "$(command -v "$tool")" "$folder/bin/$tool"
	done
	stub id "echo $1"
	stub nproc 'echo 3'
	# shellcheck disable=SC2016 # expanded by the stub
	stub cmake 'echo "cmake $*" >>"$LOG"
case $1 in
--preset)
	mkdir -p "build/$2"
	echo "CMAKE_HOME_DIRECTORY:INTERNAL=$(pwd)" >"build/$2/CMakeCache.txt"
	: >"build/$2/build.ninja"
	;;
--build)
	printf "%s\n" "#!/bin/sh" "echo \"perfwatt LC_ALL=\${LC_ALL-none} \$(pwd):\" >>\"\$LOG\"" \
		"for a; do echo \"<\$a>\" >>\"\$LOG\"; done" "exit 7" >"$2/perfwatt"
	chmod +x "$2/perfwatt"
	;;
esac'
	# shellcheck disable=SC2016 # expanded by the stub
	stub ctest 'echo "ctest $*" >>"$LOG"; exit "${CTEST_STATUS-0}"'
}

# The stubs of one package manager; what it installs is in $folder/packages from then on.
# shellcheck disable=SC2016 # expanded by the stubs
manager() {
	record='echo "'$1' $* [${DEBIAN_FRONTEND-}]" >>"$LOG"
[ "${INSTALL_STATUS-0}" = 0 ] || exit "$INSTALL_STATUS"
for word; do case $word in -* | install | update) ;; *) echo "$word" >>"$PACKAGES" ;; esac; done'
	stub "$1" "$record"
	query='for word; do grep -qxF -e "$word" "$PACKAGES" && printf "'$3'%s\n" "$word"; done; exit 1'
	stub "$2" "$query"
}

# Runs bootstrap with LC_ALL as the caller's environment has it.
bootstrap() {
	(cd "$folder/caller" && env -i PATH="$folder/bin" LOG="$folder/log" \
		PACKAGES="$folder/packages" LC_ALL=xx_XX.UTF-8 ${CTEST_STATUS+"CTEST_STATUS=$CTEST_STATUS"} \
		${INSTALL_STATUS+"INSTALL_STATUS=$INSTALL_STATUS"} \
		"$folder/tree/my tree/bootstrap" "$@") >"$folder/out" 2>&1
}

ends_with() {
	[ "$status" = "$1" ] || fail "$case: exit $status, not $1"
}

logged() {
	grep -qF -e "$1" "$folder/log" || fail "$case: no '$1' in: $(cat "$folder/log")"
}

not_logged() {
	! grep -qF -e "$1" "$folder/log" || fail "$case: '$1' in: $(cat "$folder/log")"
}

printed() {
	grep -qF -e "$1" "$folder/out" || fail "$case: no '$1' printed"
}

# --- cases ----------------------------------------------------------------------------------------

case='apt, root, first call'
machine 0
manager apt-get dpkg-query 'installed '
echo gcc >"$folder/packages"
bootstrap run
status=$?
ends_with 7
printed 'installing with apt-get: libc6-dev ninja-build cmake'
logged 'apt-get update []'
logged 'apt-get install -y --no-install-recommends libc6-dev ninja-build cmake pkg-config'
logged '[noninteractive]'
not_logged ' gcc '
not_logged 'libcmocka-dev'
logged 'cmake --preset release -G Ninja'
logged 'cmake --build'
logged '<run>
<--yes>'
logged "perfwatt LC_ALL=xx_XX.UTF-8 $folder/caller:"

case='apt, root, second call'
: >"$folder/log"
bootstrap run
status=$?
ends_with 7
not_logged 'apt-get'
not_logged '--preset'
logged '<--yes>'

case='a build that was moved'
sed 's/INTERNAL=/INTERNAL=\/elsewhere/' "$folder/tree/my tree/build/release/CMakeCache.txt" >"$folder/cache"
cat "$folder/cache" >"$folder/tree/my tree/build/release/CMakeCache.txt"
: >"$folder/log"
bootstrap run
status=$?
ends_with 7
printed 'belongs to another folder'
logged 'cmake --preset release'

case='arguments'
: >"$folder/log"
bootstrap run 'my config.json' --only 'a=b c' ''
logged '<run>'
logged '<my config.json>'
logged '<a=b c>'
logged '<>'
: >"$folder/log"
bootstrap run report 'a folder'
not_logged '<run>'
logged '<report>'
: >"$folder/log"
bootstrap run --dry-run
logged '<run>'
: >"$folder/log"
bootstrap run --version
not_logged '<run>'

for kind in dnf zypper pacman; do
	case="$kind, root"
	machine 0
	case $kind in
	pacman) manager pacman-install unused '' ;;
	*) manager "$kind" rpm '' ;;
	esac
	if [ "$kind" = pacman ]; then
		# One program that asks and installs.
		mv "$folder/bin/pacman-install" "$folder/bin/install-part"
		mv "$folder/bin/unused" "$folder/bin/query-part"
		# shellcheck disable=SC2016 # expanded by the stub
		stub pacman 'case $1 in -Qq) exec query-part "$@" ;; *) exec install-part "$@" ;; esac'
	fi
	bootstrap run doctor
	status=$?
	ends_with 7
	printed "installing with $kind: gcc"
	logged 'pcre2'
	logged '<doctor>'
	[ "$(grep -c -e install -e '-Sy' "$folder/log")" = 1 ] || fail "$case: not one install call"
	case="$kind, second call"
	: >"$folder/log"
	bootstrap run doctor
	not_logged "pcre2"
done

case='no root, no sudo'
machine 1000
manager apt-get dpkg-query 'installed '
bootstrap run
status=$?
ends_with 2
printed 'apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends gcc'
not_logged 'apt-get'
not_logged 'cmake'

case='no root, nothing missing'
for package in gcc libc6-dev ninja-build cmake pkg-config libjansson-dev libpcre2-dev libmd-dev libpfm4-dev; do
	echo "$package"
done >"$folder/packages"
bootstrap run
status=$?
ends_with 7

case='no root, sudo'
machine 1000
manager apt-get dpkg-query 'installed '
# shellcheck disable=SC2016 # expanded by the stub
stub sudo 'echo "sudo $*" >>"$LOG"; exec "$@"'
bootstrap test
status=$?
ends_with 0
logged 'sudo env LC_ALL=C'
logged 'libcmocka-dev'
not_logged ' valgrind'
logged 'cmake --preset ci'
logged 'ctest --test-dir'
logged '--parallel 3 -LE ^(long|valgrind|clang|'

case='the package manager fails'
machine 0
manager apt-get dpkg-query 'installed '
INSTALL_STATUS=100
bootstrap run
status=$?
unset INSTALL_STATUS
ends_with 2
printed 'could not install'
not_logged 'cmake'

case='no package manager'
machine 1000
bootstrap run
status=$?
ends_with 7
printed 'going on with what is installed'

case='arguments for ctest'
machine 0
bootstrap test -L lab -V
logged '-L lab -V'
not_logged '-LE'
: >"$folder/log"
bootstrap test -V
logged '-LE ^(long|valgrind'

case='failing tests'
CTEST_STATUS=8
bootstrap test
status=$?
unset CTEST_STATUS
ends_with 1

case='--full'
machine 0
manager apt-get dpkg-query 'installed '
: >"$folder/log"
for tool in valgrind cppcheck clang-tidy; do
	# shellcheck disable=SC2016 # expanded by the stub
	stub "$tool" 'echo "${0##*/} $*" >>"$LOG"'
done
stub cppcheck 'exit 1'
mkdir -p "$folder/tree/my tree/lib" "$folder/tree/my tree/workloads" "$folder/tree/my tree/report" \
	"$folder/tree/my tree/collectors" "$folder/tree/my tree/harness"
: >"$folder/tree/my tree/lib/a file.c"
bootstrap test --full
status=$?
ends_with 1
logged 'valgrind'
logged '-LE ^(long)$'
logged '-T memcheck'
logged 'cmake --preset clang'
logged 'clang-tidy'
logged 'lib/a file.c'
printed 'failed:  cppcheck'

case='words'
bootstrap
status=$?
ends_with 2
bootstrap tset
status=$?
ends_with 2
printed "unknown word 'tset'"
bootstrap --help
status=$?
ends_with 0
printed 'usage:'

[ "$failures" -eq 0 ] || exit 1
echo 'all cases passed'
