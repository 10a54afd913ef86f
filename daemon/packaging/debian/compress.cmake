# Packs man pages and changelogs of the packages, as Debian's policy wants.
file(GLOB_RECURSE files LIST_DIRECTORIES false ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*)
list(FILTER files INCLUDE REGEX "/share/(man/man.*\\.[1-8]|doc/[^/]+/changelog)$")
execute_process(COMMAND gzip -9nf ${files} COMMAND_ERROR_IS_FATAL ANY)
