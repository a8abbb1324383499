# SPDX-License-Identifier: MIT
# For the check scripts: result STATUS NAME, once a case; finish at the end. What a case printed on
# standard output goes to standard error, since standard output belongs to TAP.
exec 3>&1 1>&2
n_cases=0
n_bad=0

result()
{
  n_cases=$((n_cases + 1))
  if [ "$1" -eq 0 ]; then
    echo "ok $n_cases - $2" >&3
  else
    n_bad=$((n_bad + 1))
    echo "not ok $n_cases - $2" >&3
  fi
}

finish()
{
  echo "1..$n_cases" >&3
  [ "$n_bad" -eq 0 ] && [ "$n_cases" -gt 0 ]
}
